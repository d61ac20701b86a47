/** Milliseconds: EVA-DTS 6.1, chapter 3.4.6 (table 2), with what a USB adapter takes to pass bytes on. */
const adapterMs = 40

export const ddcmpTimes = {
  /** STACK after START. */
  stack: 250,
  /** ACK, NACK or a data message after a data message. */
  ack: 170 + adapterMs,
  /** Between two bytes of a message: beyond it the line is idle. */
  betweenBytes: 65 + adapterMs,
  /** A station that has heard turns to speaking. */
  turnAround: 40,
  /** The next message of the other side, and the same after a command to read. */
  message: 5000,
  reading: 15_000,
} as const

export const ddcmpTries = { start: 10, data: 5 } as const

/** Every session begins at this speed. */
export const firstRate = 2400
