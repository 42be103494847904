"""English words that are no translations."""

FUNCTION_WORDS = frozenset(
    "a an the of and in to is are was were be been being am do does did done doing have has had having"
    " can could will would shall should may might must ought not no nor none this that these those it"
    " its itself he him his himself she her hers herself they them their theirs themselves we us our"
    " ours ourselves you your yours yourself yourselves i me my mine myself one ones at on for with by"
    " from as or but so if when who whom whose which what where why how there here all any some such"
    " both each every either neither up out off over under about into onto upon through between among"
    " during than then too also very just only even more most much many few less least same other"
    " another again yet because while although though since until unless whether after before against"
    " without within along across toward towards per via whatever whoever whichever someone somebody"
    " anyone anybody everyone everybody nobody something anything everything nothing oneself thou thee"
    " thy thine ye oh ah hey etc else ever thus hence".split()
)
