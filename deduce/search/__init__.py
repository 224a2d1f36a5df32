"""Search in games of perfect information: one protocol, one state graph, every standard solver.

``game``, ``errors``, ``limits``, ``result``
    the words that all share: the protocol, what can be wrong with a game, when to stop, answers
``space``, ``graph``
    the states that can be reached, as lists and as a networkx graph
``retrograde``, ``induction``, ``attractor``, ``solution``, ``solve``
    the value of every state
``alphabeta``, ``deepening``, ``minimax``, ``mcts``, ``proof_number``
    the value of one state; ``choose`` names them all
``pimc``
    search where something is hidden, over sampled worlds
``playouts``, ``draw``, ``play``, ``testing``
    counting, pictures, playing in the terminal, and the check of a game of one's own
``cli``, ``options``, ``load``
    the command ``deduce search``

Import from the modules: ``from deduce.search.alphabeta import alphabeta``. Only ``graph`` needs
networkx. See docs/searching.md.
"""
