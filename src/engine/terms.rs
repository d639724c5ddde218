//! The words of the game: phases, flags, offences, results.

use crate::named::named_enum;

named_enum! {
    /// The phase of a game.
    pub enum Phase {
        /// Set, not started.
        Ready = "ready",
        /// One side's clock runs.
        Running = "running",
        /// Stopped inside a turn.
        Paused = "paused",
        /// A fall froze the clock.
        Flagged = "flagged",
        /// Over.
        Ended = "ended",
    }
}

named_enum! {
    /// The two meanings of zero (`timing.md` 1, *flag*).
    pub enum FlagKind {
        /// A side reached zero and a further stage was given; play goes on.
        Stage = "stage",
        /// The side has no time left: evidence, not a result.
        Fall = "fall",
    }
}

named_enum! {
    /// What a player is penalised for.
    pub enum Offence {
        /// A completed illegal move (Laws 7.5).
        IllegalMove = "illegal-move",
        /// A wrong claim of a draw (Laws 9.5.3).
        WrongClaim = "wrong-claim",
        /// A rejected quickplay claim (Guidelines III.5.3).
        QuickplayClaim = "quickplay-claim",
    }
}

named_enum! {
    /// Where a clock that was interrupted while it ran can be set.
    pub enum Candidate {
        /// The last instant that was recorded.
        LastRecord = "last-record",
        /// The beginning of the turn: what the side to move has used since is given back.
        LastPress = "last-press",
    }
}

named_enum! {
    /// The result of a game, as the arbiter gives it. The daemon never decides a result.
    pub enum GameResult {
        /// White wins.
        WhiteWins = "1-0",
        /// Black wins.
        BlackWins = "0-1",
        /// A draw.
        Draw = "1/2-1/2",
        /// Both lose.
        BothLose = "0-0",
        /// White gets half a point, Black none.
        HalfToWhite = "1/2-0",
        /// Black gets half a point, White none.
        HalfToBlack = "0-1/2",
        /// Unfinished.
        Unfinished = "*",
    }
}

named_enum! {
    /// How a game continues under another control.
    #[derive(Default)]
    pub enum ReplacePolicy {
        /// Its clocks are kept.
        #[default]
        Kept = "kept",
        /// Its presses are replayed under the other control.
        Replayed = "replayed",
    }
}

named_enum! {
    /// Why a press changed nothing (`timing.md` 2.9 to 2.11).
    pub enum IgnoreReason {
        /// The other side's clock runs.
        NotToMove = "not-to-move",
        /// Both buttons in the same poll: only the running side's press counts.
        Simultaneous = "simultaneous",
        /// The game is ready and this is not the press that starts it.
        NotTheStarter = "not-the-starter",
        /// The clock is paused.
        Paused = "paused",
        /// A fall froze the clock.
        Flagged = "flagged",
        /// The game has ended.
        Ended = "ended",
        /// Gong: the clock changes sides by itself.
        Gong = "gong",
    }
}

named_enum! {
    /// The kinds of refusals; each is one D-Bus error, and `error` in a journal line.
    pub enum RefusalKind {
        /// Not in this phase.
        WrongPhase = "WrongPhase",
        /// Nothing to undo or confirm.
        Nothing = "Nothing",
        /// An argument that is not possible.
        InvalidArgument = "InvalidArgument",
    }
}
