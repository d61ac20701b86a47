import { isTyping } from '../isTyping.ts'

/** The function that undoes an act, and the sentence that confirms the undo. */
export interface Undo {
  act: () => Promise<unknown>
  /** Key of the sentence, such as `alarm:repair.undone`. */
  says: string
  values?: Record<string, unknown>
}

/** How long the last act can be undone by its key. */
const offeredMs = 60_000

/** Undoes the act, once; later calls do nothing. */
type UndoAct = () => Promise<void>
let last: { take: UndoAct; until: number } | undefined

/** A grid has its own undo for its cells. */
const isInGrid = (target: EventTarget | null) => target instanceof HTMLElement && target.closest('[role=grid]') !== null

function onKey(event: KeyboardEvent) {
  const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'z'
  if (!isUndo || event.defaultPrevented || document.querySelector('[aria-modal=true]')) return
  if (isTyping(event.target) || isInGrid(event.target)) return
  if (!last || Date.now() > last.until) return
  event.preventDefault()
  void last.take()
}

/** Offers to undo an act: by the returned function, or for a minute by Ctrl+Z outside of text fields. */
export function offerUndo(run: () => Promise<void>): UndoAct {
  let isTaken = false
  const take = async () => {
    if (isTaken) return
    isTaken = true
    if (last?.take === take) last = undefined
    await run()
  }
  last = { take, until: Date.now() + offeredMs }
  // The browser adds the same listener only once.
  document.addEventListener('keydown', onKey)
  return take
}
