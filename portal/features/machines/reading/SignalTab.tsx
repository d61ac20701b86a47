import { useParams } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useMachine } from '../machine/useMachine.ts'
import { ReadingView } from './ReadingView.tsx'

/** The signal of a machine over time, against the merchant's minimum. */
export default function SignalTab() {
  const merchant = useMerchant()
  const { percent } = useFormat()
  const { posId } = useParams({ strict: false }) as { posId: string }
  const params = { merchantId: merchant.id, posId }
  const { data: machine } = useMachine(posId)
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
