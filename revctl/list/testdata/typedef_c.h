typedef enum _revision
{
  SR_ONE = 1,
  SR_TWO
} revision_t;
typedef enum { OTHER_ONE } other_t;
