"""The last parts of domains that the addresses of people have.

Without a list ``x@left.transpose`` would be an address. Left out are those of countries that end
the names of files: ``cc``, ``md``, ``ml``, ``mm``, ``ps``, ``py``, ``sh``, ``so``.
"""

_WORDS = """
    com org net edu gov mil int info biz name pro aero asia cat coop jobs mobi museum post tel io
    dev app ai co me xyz cloud tech online site store blog email digital company network systems
    software engineering agency studio team group work works page wiki news live world today
    space life bio club design education energy expert family finance fund fyi gmbh health host
    house inc institute international law legal llc ltd marketing media one partners photos press
    rocks school science services shop show social solutions support tools top training
    university ventures video vip berlin hamburg koeln london nyc paris tokyo wien zone eu ac ad
    ae af ag al am ao ar at au aw az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca cd
    cf cg ch ci cl cm cn cr cu cv cw cy cz de dj dk dm do dz ec ee eg er es et fi fj fk fm fo fr
    ga gd ge gf gg gh gi gl gm gn gp gq gr gt gu gw gy hk hn hr ht hu id ie il im in iq ir is it
    je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc mg mh mk
    mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph
    pk pl pm pn pr pt pw qa ro rs ru rw sa sb sc sd se sg si sk sl sm sn sr st sv sx sy sz tc td
    tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt
    za zm zw
"""

DOMAINS = frozenset(_WORDS.split())
