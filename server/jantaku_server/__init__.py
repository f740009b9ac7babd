"""The game server: listener, sessions, lobby, tables, clocks, journal, spectators."""
