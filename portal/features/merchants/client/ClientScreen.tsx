import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type Client, ClientBlockers, clients } from '#contract/merchants/client.ts'
import { call } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { DeleteButton } from '#portal/features/machines/assigned/DeleteButton.tsx'
import { placedMachine } from '#portal/features/machines/assigned/InUseDialog.tsx'
import { DetailScreen } from '#portal/ui/page/DetailScreen.tsx'
import { useRecord } from '#portal/ui/page/useRecord.ts'

const tabs = ['details', 'machines', 'clientSales', 'alarms'] as const
const pathOf = {
  details: '/manage/clients/$clientId',
  machines: '/manage/clients/$clientId/pos',
  clientSales: '/manage/clients/$clientId/transactions',
  alarms: '/manage/clients/$clientId/pos-alarms',
}

/** A client: its details, its machines, their sales and their alarms. */
export default function ClientScreen() {
  const { t } = useTranslation(['client', 'shell'])
  const format = useFormat()
  const { me } = useSession()
  const answer = useRecord(clients.getClient, 'clientId')
  const client = answer.data
  const details = client && [client.code, client.companyName, client.city]
  return (
    <DetailScreen
      query={answer}
      merchantId={client?.merchantId}
      title={client?.name}
      subtitle={details ? details.filter(Boolean).join(' · ') : undefined}
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
  return (
    <DeleteButton
      kind="client"
      name={name}
      remove={() => call(clients.deleteClient, { params: { merchantId, clientId } })}
      inUse="ClientInUse"
      blockingOf={(facts) => {
        const { machines, firstMachines, hasOthers } = ClientBlockers.parse(facts)
        return {
          blockers: [{ what: 'machines', count: machines, first: firstMachines.map(placedMachine) }],
          note: hasOthers ? t('delete.others') : undefined,
        }
      }}
      list="/manage/clients"
    />
  )
}
