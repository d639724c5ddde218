"""The steps that tests/pi/play.py takes, in rooms by what they are about. A step is a function of the
Pi and of the results that are printed in the end; its name says what must come out."""
