"""The game itself: `deal` sets it up, `advance` runs it until a choice is needed, `apply` carries one out.

The modules in the rulebook's order; docs/rules.md tells which holds a rule of a given id.

    deal            setting up, and with it all chance of the game (S1-S6)
    engine          the loop, and which module each decision and step belongs to (M5)
    anytime         turns and what may be done at any time of one: trade, upgrades, abilities (A0-A5), markers to give up (L1)
    farm            the farm phase: cards, income, growth and piglets, roofs (F1-F9)
    revenue         the revenue phase: everything about dice (R1-R3, H2, H3)
    transport       the transportation phase: donkeys, siesta track, free and bought deliveries (T1-T5, R4)
    scoring         the scoring phase, the change of rounds, the end of the game (E1, E2, M4, D5)
    solo            the game for one: the neutral player (O1-O13)
    result          who is ahead, who has won (E3)

    cards           the deck, hands, and the four ways to play a card (S7, F2-F4)
    deliveries      what goes where, completed rows and barrows (D1-D7)
    market          placing and removing markers (M1-M3, F10)
    abilities       helpers, roofs and permanent buildings: what they wait for, whether they may act (H1, F11)
    events          who answers an event, using an ability (F8, F9, H4)
    effects         carrying out what cards, roofs, buildings, dice and commodities do
    availability    what an act would do once it is paid for (A6)
    paying          what can be paid (A6)
    modifiers       what helpers and buildings change as long as they lie there (A7)
    holdings        what players own, stables and markers (F12, L1)
    hidden          what a seat may not see, and dealing it anew (K1)

    names, state    everything by name and number, and the records of a game
    agenda, options tasks to be done and options to choose from
    ledger          what has happened, for replays
"""
