import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clientEdits } from '#contract/client-edit.ts'
import { useCommand } from '../../app/api.ts'
import { useMerchant, useMerchants } from '../../app/merchant.tsx'
import { FormScreen } from '../../ui/form/FormScreen.tsx'
import { useSchemaForm } from '../../ui/form/useSchemaForm.ts'
import { useGo, useLeave } from '../../ui/PlaceLink.tsx'
import { ScreenHeader } from '../../ui/ScreenHeader.tsx'
import { toast } from '../../ui/toast.tsx'
import { MerchantChoice } from '../assigned/MerchantChoice.tsx'
import classes from './Client.module.css'
import { ClientFields } from './ClientFields.tsx'
import { bodyOf, ClientForm, type ClientValues, emptyClient } from './clientForm.ts'
import { useTaken } from './useTaken.ts'

/** Adds a client to the chosen merchant; under "all distributors" it is asked to which. */
export default function ClientCreateScreen() {
  const { t } = useTranslation('client')
  const go = useGo()
  const leave = useLeave()
  const merchant = useMerchant()
  const merchants = useMerchants()
  const [chosen, choose] = useState('')
  const merchantId = merchant.isAll ? chosen : merchant.id
  const form = useSchemaForm<ClientValues>(ClientForm, emptyClient(merchant.country))
  const taken = useTaken(form)
  const create = useCommand(clientEdits.createClient, { isQuiet: true })
  const save = async (values: ClientValues) => {
    // Without a merchant the placeholder of all is sent, and the answer says that one is to be chosen.
    const params = { merchantId: merchantId || merchant.id }
    const made = await create.mutateAsync({ params, body: bodyOf(values) }).catch(taken)
    toast.success('client:created', { name: made.name })
    await leave({
      to: '/manage/clients/$clientId',
      params: { clientId: made.id },
      search: { merchant: made.merchantId },
    })
  }
  return (
    <>
      <ScreenHeader title={t('create')} />
      <div className={classes.form}>
        <FormScreen
          form={form}
          save={save}
          isSaving={create.isPending}
          error={create.error}
          cancel={() => void go({ to: '/manage/clients' })}
        >
          <MerchantChoice
            value={chosen}
            choose={(id) => {
              choose(id)
              const country = merchants.find((one) => one.id === id)?.country
              if (country && !form.isDirty()) form.setFieldValue('country', country)
            }}
          />
          <ClientFields form={form} />
        </FormScreen>
      </div>
    </>
  )
}
