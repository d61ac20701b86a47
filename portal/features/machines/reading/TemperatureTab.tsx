import { useParams } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useMachine } from '../machine/useMachine.ts'
import { ReadingView } from './ReadingView.tsx'

const celsius = { style: 'unit', unit: 'celsius', minimumFractionDigits: 1, maximumFractionDigits: 1 } as const

/** The temperature of what a machine sells over time, between the merchant's limits. */
export default function TemperatureTab() {
  const merchant = useMerchant()
  const { number } = useFormat()
  const { posId } = useParams({ strict: false }) as { posId: string }
  const params = { merchantId: merchant.id, posId }
  const { data: machine } = useMachine(posId)
  const format = useCallback((value: number) => number(value, celsius), [number])
  return machine ? <ReadingView params={params} timeZone={machine.timeZone} kind="temperature" format={format} /> : null
}
