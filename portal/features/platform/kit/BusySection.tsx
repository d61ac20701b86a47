import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Row } from './Part.tsx'

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Slow calls; the line above the page stays until the last one ends. */
export function BusySection() {
  const { t } = useTranslation('kit')
  const short = useMutation({ mutationFn: () => wait(1_500) })
  const long = useMutation({ mutationFn: () => wait(4_000) })
  return (
    <Row>
      <Button variant="default" onClick={() => short.mutate()}>
        {t('busy.short')}
      </Button>
      <Button variant="default" onClick={() => long.mutate()}>
        {t('busy.long')}
      </Button>
    </Row>
  )
}
