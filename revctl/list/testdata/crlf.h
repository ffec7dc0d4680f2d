enum Revision
{
	SR_A = 1,	// first \
	still the comment
	SR_B = 2, 	 

	// lead
	SR_C = 3,
};
