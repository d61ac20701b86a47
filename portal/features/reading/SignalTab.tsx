import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useCallback } from 'react'
import { machines } from '#contract/machine.ts'
import { queryOf } from '../../app/api.ts'
import { useFormat } from '../../app/i18n/format.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { ReadingView } from './ReadingView.tsx'

/** The signal of a machine over time, against the merchant's minimum. */
export default function SignalTab() {
  const merchant = useMerchant()
  const { percent } = useFormat()
  const { posId } = useParams({ strict: false }) as { posId: string }
  const params = { merchantId: merchant.id, posId }
  const { data: machine } = useQuery(queryOf(machines.getMachine, { params }))
  const format = useCallback((value: number) => percent(value / 100), [percent])
  return machine ? (
    <ReadingView
      params={params}
      timeZone={machine.timeZone}
      kind="signal"
      format={format}
      bounds={{ low: 0, high: 100 }}
    />
  ) : null
}
