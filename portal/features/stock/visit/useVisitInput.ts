import { useMemo, useState } from 'react'
import type { NewVisit, VisitPlan } from '#contract/stock/visit.ts'
import { useKeptInput } from '#portal/ui/form/useKeptInput.ts'
import { type Line, linesOf, sentLines } from './visitLines.ts'
import type { KeptVisit } from './visitStore.ts'

/** What a user enters about a visit; it survives a reload and the end of the session. */
export function useVisitInput(plan: VisitPlan, kept: KeptVisit | undefined) {
  const [lines, setLines] = useState(() => linesOf(plan, kept?.body.lines))
  const [cash, setCash] = useState({ isTaken: kept?.body.cashTaken ?? false, bag: kept?.body.bagNumber ?? '' })
  const [note, setNote] = useState(kept?.body.note ?? '')
  const [picture, setPicture] = useState(kept?.body.picture ?? null)
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
    isDirty: picture !== (kept?.body.picture ?? null),
    restore: (taken) => {
      setPicture(taken)
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
    showLines: (shown: readonly Line[]) => setLines([...shown]),
    changeLines: touching((change: (now: Line[]) => Line[]) => setLines(change)),
    changeCash: touching(setCash),
    changeNote: touching(setNote),
    changePicture: touching(setPicture),
    /** The visit as it is sent, with these lines. */
    bodyOf: (final: readonly Line[], of: Pick<NewVisit, 'id' | 'at' | 'again'>): NewVisit => ({
      ...of,
      stopId: kept ? kept.body.stopId : (plan.stop?.id ?? null),
      lines: sentLines(final),
      cashTaken: cash.isTaken,
      bagNumber: cash.isTaken ? cash.bag.trim() || null : null,
      note: note.trim() || null,
      picture,
    }),
  }
}
