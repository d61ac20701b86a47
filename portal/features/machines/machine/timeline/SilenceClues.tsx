import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Machine, machines } from '#contract/machines/machine.ts'
import { silentTogether } from '#domain/machines/silence.ts'
import { queryOf } from '#portal/app/api.ts'
import { instantOf, useFormat } from '#portal/app/i18n/format.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { placeOfMachines } from '../places.ts'

/** The machines of one client are few; beyond this number the sentence counts too low. */
const mostNeighbours = 100

const seen = ({ id, lastSeenAt }: Pick<Machine, 'id' | 'lastSeenAt'>) => ({
  id,
  lastSeenAt: instantOf(lastSeenAt ?? undefined) ?? null,
})

/** Why a machine may be offline: its last signal, and machines of the same client that went offline with it. */
export default function SilenceClues({ machine }: { machine: Machine }) {
  const { t } = useTranslation('machine')
  const format = useFormat()
  const { merchantId, clientId, clientName, signalPercent } = machine
  const { data } = useQuery({
    ...queryOf(machines.listMachines, {
      params: { merchantId },
      query: { clientId: clientId ?? undefined, states: ['silent'], size: mostNeighbours },
      isWhole: true,
    }),
    enabled: clientId !== null,
  })
  const together = clientId ? silentTogether(seen(machine), (data?.items ?? []).map(seen)) : []
  const count = together.length
  return (
    <>
      {typeof signalPercent === 'number' && `${t('silence.signal', { signal: format.percent(signalPercent / 100) })} `}
      {count > 0 && (
        <>
          <PlaceLink place={placeOfMachines([machine, ...together])}>
            {t('silence.together', { count, number: format.number(count), client: clientName ?? '' })}
          </PlaceLink>{' '}
          {t('silence.place')}
        </>
      )}
    </>
  )
}
