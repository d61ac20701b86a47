import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Licence } from '#contract/licences/licence.ts'
import { type LicenceEvent, licenceActRows } from '#contract/licences/licence-acts.ts'
import { queryOf } from '#portal/app/api.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { Timeline } from '#portal/ui/value/Timeline.tsx'
import { licenceLooks, nameOfStatus } from './licenceLooks.ts'

/** What happened to a licence, newest first. */
export function LicenceHistory({ licence }: { licence: Licence }) {
  const { t } = useTranslation(['licence', 'vocabulary', 'ui'])
  const params = { merchantId: licence.merchantId, licenceId: licence.id }
  const { data, isPending } = useQuery(queryOf(licenceActRows.listLicenceEvents, { params }))
  const authorOf = ({ by, byName }: LicenceEvent) => (by === 'user' ? (byName ?? t('ui:provider')) : t(`by.${by}`))
  const detailOf = ({ act, detail, unassignCase, posName }: LicenceEvent) => {
    if (unassignCase) return t(`vocabulary:unassignCase.${unassignCase}`)
    if (act === 'remind') return t('event.daysBefore', { count: Number(detail) })
    if (act === 'activate' && detail) return t('event.board', { board: detail })
    return act === 'move' || act === 'create' ? posName : null
  }
  const items = (data ?? []).map((event) => ({
    id: event.id,
    at: event.at,
    tone: licenceLooks[nameOfStatus(event.status)].tone,
    title: t(`event.${event.act}`),
    note: [authorOf(event), detailOf(event)].filter(Boolean).join(' · '),
  }))
  return (
    <Card title={t('card.history')}>
      <Timeline as="exact" items={items} timeZone={licence.timeZone} isLoading={isPending} />
    </Card>
  )
}
