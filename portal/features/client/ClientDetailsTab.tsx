import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Client, clients } from '#contract/client.ts'
import { clientEdits } from '#contract/client-edit.ts'
import { queryOf, useCommand } from '../../app/api.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { FormScreen } from '../../ui/form/FormScreen.tsx'
import { useSchemaForm } from '../../ui/form/useSchemaForm.ts'
import { toast } from '../../ui/toast.tsx'
import classes from './Client.module.css'
import { ClientFields } from './ClientFields.tsx'
import { bodyOf, ClientForm, type ClientValues, valuesOf } from './clientForm.ts'
import { useTaken } from './useTaken.ts'

/** What is known of a client, to be changed. */
export default function ClientDetailsTab() {
  const merchant = useMerchant()
  const { clientId } = useParams({ strict: false }) as { clientId: string }
  const { data } = useQuery(queryOf(clients.getClient, { params: { merchantId: merchant.id, clientId } }))
  return data ? <ClientDetails key={data.id} client={data} /> : null
}

const fieldsOf = (client: Client) => ({ version: client.version, values: valuesOf(client) })
const addressNames: Record<string, string> = {
  address: 'street',
  zipCode: 'postalCode',
  city: 'city',
  province: 'province',
  country: 'country',
}

function ClientDetails({ client }: { client: Client }) {
  const { t } = useTranslation(['client', 'form'])
  const form = useSchemaForm<ClientValues>(ClientForm, valuesOf(client))
  const taken = useTaken(form)
  const update = useCommand(clientEdits.updateClient, { isQuiet: true })
  const params = { merchantId: client.merchantId, clientId: client.id }
  const save = async (values: ClientValues, version: number) => {
    const saved = await update.mutateAsync({ params, body: { ...bodyOf(values), version } }).catch(taken)
    toast.success('client:saved', { name: saved.name })
    return saved
  }
  const nameOf = (field: string) =>
    addressNames[field] ? t(`form:field.address.${addressNames[field]}`) : t(`client:field.${field}`)
  const record = {
    ...fieldsOf(client),
    read: (answer: unknown) => fieldsOf(answer as Client),
    names: Object.fromEntries(Object.keys(valuesOf(client)).map((field) => [field, nameOf(field)])),
  }
  return (
    <div className={classes.form}>
      <FormScreen form={form} record={record} save={save} isSaving={update.isPending} error={update.error}>
        <ClientFields form={form} />
      </FormScreen>
    </div>
  )
}
