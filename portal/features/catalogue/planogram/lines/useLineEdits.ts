import { useRef } from 'react'
import { mostPlanogramLines } from '#contract/catalogue/planogram.ts'
import { type Changes, type PasteResult, pasteCells, type Range } from '#portal/ui/grid/gridEdits.ts'
import type { GridColumn } from '#portal/ui/grid/types.ts'
import type { InputEdits } from '#portal/ui/grid/useGridInput.ts'
import {
  changedLines,
  grown,
  keyOfRow,
  type LineDraft,
  type LineRow,
  lineAfter,
  moved,
  type ProductDefaults,
  withDefaults,
} from './lineDraft.ts'

const none: Changes = new Map()
/** Steps that can be undone. */
const mostSteps = 100

const rowsOf = (lines: readonly LineDraft[]): LineRow[] => lines.map((line, index) => ({ index, line }))

interface Options {
  lines: readonly LineDraft[]
  /** Stores the lines in the form. */
  keep: (lines: LineDraft[]) => void
  columns: readonly GridColumn<LineRow>[]
  /** What a line begins with when it gets a product. */
  defaultsOf: (productId: string) => ProductDefaults | undefined
  /** A paste exceeds a planogram's limit of rows. */
  refuse: (rows: number) => void
}

/** The lines of a planogram as a grid edits them. Each step, also a paste or a removed row, can be undone. */
export function useLineEdits({ lines, keep, columns, defaultsOf, refuse }: Options) {
  const steps = useRef<(readonly LineDraft[])[]>([])
  // Steps between two renders are combined.
  const latest = useRef(lines)
  latest.current = lines
  const set = (next: readonly LineDraft[]) => {
    latest.current = next
    keep([...next])
  }
  const step = (next: readonly LineDraft[]) => {
    steps.current = [...steps.current.slice(1 - mostSteps), latest.current]
    set(next)
  }
  const rows = rowsOf(lines)
  const edits: InputEdits<LineRow> = {
    grid: { rows, columns, keyOf: keyOfRow },
    rows,
    changes: none,
    change: (changes) => {
      if (changes.size > 0) step(withDefaults(latest.current, changedLines(latest.current, changes), defaultsOf))
    },
    stepBack: () => {
      const before = steps.current.pop()
      if (before) set(before)
    },
    paste: (range: Range, cells): PasteResult => {
      const lineCount = range.top + cells.length
      if (lineCount > mostPlanogramLines) {
        refuse(lineCount)
        return { rows: latest.current.length, written: 0, left: 0, fixed: 0 }
      }
      const after = grown(latest.current, lineCount)
      const { changes, ...pasted } = pasteCells({ rows: rowsOf(after), columns, keyOf: keyOfRow }, none, range, cells)
      step(withDefaults(after, changedLines(after, changes), defaultsOf))
      return pasted
    },
  }
  return {
    edits,
    canUndo: steps.current.length > 0,
    /** Adds a line after a row. */
    add: (at: number) => {
      const now = latest.current
      step([...now.slice(0, at + 1), lineAfter(now, at), ...now.slice(at + 1)])
    },
    remove: ({ top, bottom }: Range) => step(latest.current.filter((_, at) => at < top || at > bottom)),
    move: ({ top, bottom }: Range, by: -1 | 1) => step(moved(latest.current, top, bottom, by)),
  }
}
