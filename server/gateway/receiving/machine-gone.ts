/** The machine was deleted or has a new secret: its connections must be closed. */
export class MachineGoneError extends Error {
  constructor() {
    super('The machine is no longer there')
    this.name = 'MachineGoneError'
  }
}
