enum Revision
{
    SR_INITIAL = 1,   
    SR_NEXT = SR_INITIAL   
        + 1  ,   
    SR_LAST = 5

    // nothing below
};
