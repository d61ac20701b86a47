import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type Client, ClientBlockers, clients } from '#contract/client.ts'
import { call, queryOf } from '../../app/api.ts'
import { useFormat } from '../../app/i18n/format.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { useSession } from '../../app/session/useSession.ts'
import { DetailScreen } from '../../ui/DetailScreen.tsx'
import { DeleteButton } from '../assigned/DeleteButton.tsx'
import { usePlaceOfMachine } from '../assigned/InUseDialog.tsx'

const tabs = ['details', 'machines'] as const
const pathOf = { details: '/manage/clients/$clientId', machines: '/manage/clients/$clientId/pos' }

/** A client: what is known of it, and the machines that stand there. */
export default function ClientScreen() {
  const { t } = useTranslation(['client', 'shell'])
  const format = useFormat()
  const merchant = useMerchant()
  const { me } = useSession()
  const { clientId } = useParams({ strict: false }) as { clientId: string }
  const answer = useQuery(queryOf(clients.getClient, { params: { merchantId: merchant.id, clientId } }))
  const client = answer.data
  const told = client && [merchant.isAll && client.merchantName, client.code, client.companyName, client.city]
  return (
    <DetailScreen
      query={answer}
      title={client?.name}
      subtitle={told ? told.filter(Boolean).join(' · ') : undefined}
      actions={client && me && roleMay(me.role, 'client.write') ? <DeleteClient client={client} /> : undefined}
      tabs={tabs.map((tab) => ({
        to: pathOf[tab],
        name: t(`shell:screens.${tab}`),
        count: tab === 'machines' && client ? format.number(client.machines) : undefined,
      }))}
    />
  )
}

function DeleteClient({ client: { id: clientId, merchantId, name } }: { client: Client }) {
  const { t } = useTranslation('client')
  const placeOfMachine = usePlaceOfMachine()
  return (
    <DeleteButton
      kind="client"
      name={name}
      remove={() => call(clients.deleteClient, { params: { merchantId, clientId } })}
      inUse="ClientInUse"
      blockingOf={(facts) => {
        const { machines, firstMachines, hasOthers } = ClientBlockers.parse(facts)
        return {
          blockers: [{ what: 'machines', count: machines, first: firstMachines.map(placeOfMachine) }],
          note: hasOthers ? t('delete.others') : undefined,
        }
      }}
      list="/manage/clients"
    />
  )
}
