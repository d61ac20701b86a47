import { useMemo, useState } from 'react'
import type { NewVisit, VisitPlan } from '#contract/stock/visit.ts'
import { useKeptInput } from '#portal/ui/form/useKeptInput.ts'
import type { KeptVisit } from '../outbox/steps.ts'
import { type Line, linesOf, sentLines } from './visitLines.ts'

/** What a user enters about a visit; it survives a reload and the end of the session. */
export function useVisitInput(plan: VisitPlan, storedVisit: KeptVisit | undefined) {
  const [lines, setLines] = useState(() => linesOf(plan, storedVisit?.body.lines))
  const [cash, setCash] = useState({
    isTaken: storedVisit?.body.cashTaken ?? false,
    bag: storedVisit?.body.bagNumber ?? '',
  })
  const [note, setNote] = useState(storedVisit?.body.note ?? '')
  const [picture, setPicture] = useState(storedVisit?.body.picture ?? null)
  const [isTouched, setTouched] = useState(false)
  useKeptInput({
    name: 'visit',
    input: useMemo(() => ({ lines, cash, note }), [lines, cash, note]),
    isDirty: isTouched,
    restore: (typed) => {
      const byName = new Map(typed.lines.map((line) => [line.selection, line]))
      // The stock may have changed meanwhile; what was entered stays.
      setLines((now) =>
        now.map((line) => {
          const { loaded, waste, counted, isDone } = byName.get(line.selection) ?? line
          return { ...line, loaded, waste, counted, isDone }
        }),
      )
      setCash(typed.cash)
      setNote(typed.note)
      setTouched(true)
    },
  })
  // Apart from the texts: it is large, and changes seldom.
  useKeptInput({
    name: 'visit picture',
    input: picture,
    isDirty: picture !== (storedVisit?.body.picture ?? null),
    restore: (input) => {
      setPicture(input)
      setTouched(true)
    },
    isQuiet: true,
  })
  const touching =
    <V>(set: (value: V) => void) =>
    (value: V) => {
      setTouched(true)
      set(value)
    }
  return {
    lines,
    cash,
    note,
    picture,
    isTouched,
    /** Shows the lines of a refused visit; the user has not changed them. */
    showLines: (refusedLines: readonly Line[]) => setLines([...refusedLines]),
    changeLines: touching((change: (now: Line[]) => Line[]) => setLines(change)),
    changeCash: touching(setCash),
    changeNote: touching(setNote),
    changePicture: touching(setPicture),
    /** The visit as it is sent, with these lines. */
    bodyOf: (final: readonly Line[], of: Pick<NewVisit, 'id' | 'at' | 'again'>): NewVisit => ({
      ...of,
      stopId: storedVisit ? storedVisit.body.stopId : (plan.stop?.id ?? null),
      lines: sentLines(final),
      cashTaken: cash.isTaken,
      bagNumber: cash.isTaken ? cash.bag.trim() || null : null,
      note: note.trim() || null,
      picture,
    }),
  }
}
