import type { z } from 'zod'
import type { ErrorCode } from '#contract/errors.ts'
import type { InUse } from '#portal/ui/page/DeleteButton.tsx'

interface Facts {
  machines: number
  firstMachines: readonly { id: string; name: string }[]
  hasOthers: boolean
}

/** Machines that block, each with its page. */
export const placedMachine = ({ id, name }: { id: string; name: string }) => ({
  id,
  name,
  place: { to: '/devices/$posId', params: { posId: id } },
})

/** A record that machines have: those in sight are named, others are said to exist (`delete.others`). */
export const machinesInUse = (code: ErrorCode, facts: z.ZodType<Facts>): InUse => ({
  code,
  blockingOf: (problem, t) => {
    const { machines, firstMachines, hasOthers } = facts.parse(problem)
    return {
      blockers: [{ what: 'machines', count: machines, first: firstMachines.map(placedMachine) }],
      note: hasOthers ? t('delete.others') : undefined,
    }
  },
})
