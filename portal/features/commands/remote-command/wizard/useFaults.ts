import { useState } from 'react'
import type { BrokenRule } from '#contract/frame/broken.ts'
import { useRuleSentence } from '#portal/ui/form/useRuleSentence.ts'

/** The error of each field, by its path in the parameters, shown after blur. */
export interface Faults {
  of: (path: string) => string | undefined
  /** Called when the field is left. */
  leave: (path: string) => () => void
}

export function useFaults(faults: Record<string, BrokenRule>): Faults {
  const say = useRuleSentence()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  return {
    of: (path) => {
      const fault = left.has(path) ? faults[path] : undefined
      return fault && say(fault)
    },
    leave: (path) => () => setLeft((before) => new Set(before).add(path)),
  }
}
