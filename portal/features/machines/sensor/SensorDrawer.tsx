import { useCallback } from 'react'
import { useFormat } from '#portal/app/i18n/format.ts'
import { DetailDrawer } from '#portal/ui/dialog/DetailDrawer.tsx'
import { useMachine } from '../machine/useMachine.ts'
import { ReadingView } from '../reading/ReadingView.tsx'
import { useSensorWords } from './useSensorWords.ts'

interface Props {
  params: { merchantId: string; posId: string }
  sensor: { submodule: string; name: string } | undefined
  close: () => void
}

/** The history of a sensor as a chart with its thresholds. */
export default function SensorDrawer({ params, sensor, close }: Props) {
  const wordOf = useSensorWords()
  const { number } = useFormat()
  const format = useCallback((value: number) => number(value, { maximumFractionDigits: 1 }), [number])
  const { data: machine, error, refetch } = useMachine(params.posId)
  return (
    <DetailDrawer
      isOpen={sensor !== undefined}
      close={close}
      title={sensor && `${wordOf('part', sensor.submodule)}, ${wordOf('name', sensor.name)}`}
      error={machine ? undefined : error}
      retry={refetch}
    >
      {sensor && machine && (
        <ReadingView params={params} timeZone={machine.timeZone} kind="sensor" sensor={sensor} format={format} />
      )}
    </DetailDrawer>
  )
}
