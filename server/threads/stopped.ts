/** Work was stopped before it was done: an item before it was stored, a task before its answer. */
export class StoppedError extends Error {
  constructor() {
    super('Stopped before it was stored')
    this.name = 'StoppedError'
  }
}
