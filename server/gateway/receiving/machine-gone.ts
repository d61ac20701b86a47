/** Nothing of the machine is there any more, or it has a new secret: its connections are to be closed. */
export class MachineGoneError extends Error {
  constructor() {
    super('The machine is no longer there')
    this.name = 'MachineGoneError'
  }
}
