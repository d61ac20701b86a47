/** The longest file in bytes: with its envelope it fits into a message to the portal. */
export const longestFile = 180 * 1024

/** Why a transfer ended without a whole file, with a sentence for the person at the machine. */
export const transferFaults = {
  silent: 'The port is open, but the machine is silent: swap TX and RX, or switch DEX or DDCMP on at the machine.',
  noise: 'Only noise arrives: check the speed, the ground wire and the levels of the cable.',
  echo: 'The port hears what it sends: set "echo", or part TX from RX.',
  unheard: 'The machine calls, but does not hear our answers: check the TX wire.',
  contention: 'Both sides want to speak first, and neither gives way.',
  stalled: 'The machine stopped in the middle of the transfer.',
  aborted: 'The machine ended the transfer before the file was whole.',
  notAccepted: 'The machine did not accept a message after all tries.',
  badAnswer: 'The machine answered with a message that the standard does not know.',
  unknownCarrier: 'The machine does not know our communication id.',
  otherRevision: 'The machine refuses our revision and level.',
  busy: 'The machine is busy: try again later.',
  noData: 'The machine has no audit data.',
  refused: 'The machine refuses the transfer.',
  passCode: 'The machine wants another security code or pass code.',
  noList: 'The machine does not have this list.',
  tooLong: 'The file is longer than 180 kB.',
  notAudit: 'What arrived is not an audit file.',
  doubtful: 'The line was disturbed, and no check sum shows that the file is right.',
} as const
export type TransferFaultCode = keyof typeof transferFaults

/** Ends a transfer. Recognised by its code. */
export class TransferFault extends Error {
  readonly code: TransferFaultCode

  constructor(code: TransferFaultCode) {
    super(transferFaults[code])
    this.code = code
  }
}
