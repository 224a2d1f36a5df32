"""The solvers: each a function of a game and a state, or of a space of states.

``retrograde``, ``induction``
    the value of every state of a space
``attractor``
    the states from which a coalition can force play into a set
``alphabeta``, ``deepening``, ``minimax``, ``mcts``, ``proof_number``
    the value of one state
``pimc``
    the value of one state where something is hidden, over sampled worlds
``choose``
    the solver that fits a game, and all of them by name
``zero_sum``, ``transpositions``
    what several of them share
"""
