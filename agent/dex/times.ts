/** Milliseconds: EVA-DTS 6.1, chapter 4.5.8 (timers and limits). */
export const dexTimes = {
  /** Timer A: an answer to ENQ or to a block. */
  response: 1000,
  /** Timer B, 100 ms between the bytes of a block, and what a USB adapter collects before it passes bytes on. */
  withinBlock: 160,
  /** Timer D, 2 s without any activity, with the margin that the standard recommends. */
  activity: 2200,
  /** Timer O: between two of the three parts of a session the standard sets no limit and recommends this one. */
  betweenParts: 60_000,
  /** The other side turns from sending to hearing. */
  answerPause: 10,
  /** Between two parts of a session. */
  partPause: 100,
  /** After WACK, before the next ENQ. */
  waitPause: 300,
} as const

/** The standard leaves the number of tries to UCS; these are those of its DDCMP (chapter 3.4.6). */
export const dexTries = {
  /** ENQ to begin a session. */
  bids: 10,
  /** Sendings of one block. */
  blocks: 5,
  /** ENQ after a block without an answer, one after another. */
  queries: 5,
  /** Bad blocks one after another, before the receiver gives up. */
  badBlocks: 10,
  /** WACK one after another. */
  waits: 60,
} as const
