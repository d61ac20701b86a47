import { Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dataRetrievalRequests, NewDataRetrievalRequest } from '#contract/insight/data-retrieval-request.ts'
import { retrievalTypes } from '#contract/vocabulary/insight/data-retrieval.ts'
import { Language } from '#contract/vocabulary/world/languages.ts'
import { useCommand } from '#portal/app/api.ts'
import { useFeatureOf } from '#portal/app/feature.ts'
import { useGo, useLeave } from '#portal/app/go.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { toast } from '#portal/app/toast/toast.tsx'
import { DateField } from '#portal/ui/form/choices/DateField.tsx'
import { SelectField } from '#portal/ui/form/choices/SelectField.tsx'
import { FormScreen } from '#portal/ui/form/FormScreen.tsx'
import { MerchantChoice } from '#portal/ui/form/MerchantChoice.tsx'
import { useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'

const list = '/manage/data-retrieval-requests'

/** Requests historical data of a range of days. */
export default function DataRetrievalCreateScreen() {
  const { t, i18n } = useTranslation('data-retrieval-request')
  const go = useGo()
  const leave = useLeave()
  const merchant = useMerchant()
  const [of, setOf] = useState('')
  const merchantId = (merchant.isAll && of) || merchant.id
  const hasStock = useFeatureOf('productStock')
  const form = useSchemaForm<Record<string, unknown>>(NewDataRetrievalRequest, {
    dataType: 'transactions',
    startDate: null,
    endDate: null,
    language: Language.catch('en').parse(i18n.language),
  })
  const create = useCommand(dataRetrievalRequests.createDataRetrievalRequest, { isQuiet: true })
  const save = async (values: Record<string, unknown>) => {
    await create.mutateAsync({ params: { merchantId }, body: values as NewDataRetrievalRequest })
    toast.success('data-retrieval-request:created')
    await leave({ to: list })
  }
  const types = retrievalTypes.filter(
    (type) => type !== 'stockMovements' || (merchant.isAll && of === '') || hasStock(merchantId),
  )
  return (
    <>
      <ScreenHeader title={t('create')} />
      <FormScreen
        form={form}
        save={save}
        saveName={t('create')}
        codes={{ PeriodReversed: 'endDate', PeriodInFuture: 'startDate', FeatureNotEnabled: 'dataType' }}
        isSaving={create.isPending}
        error={create.error}
        cancel={() => void go({ to: list })}
      >
        <Card title={t('card')}>
          <Stack gap="md">
            {merchant.isAll && <MerchantChoice value={of} choose={setOf} />}
            <SelectField
              form={form}
              name="dataType"
              label={t('field.dataType')}
              options={types.map((value) => ({ value, label: t(`type.${value}`) }))}
              isRequired
            />
            <DateField form={form} name="startDate" label={t('field.startDate')} isRequired />
            <DateField form={form} name="endDate" label={t('field.endDate')} isRequired />
            <p style={{ color: 'var(--ink-2)', fontSize: 13, margin: 0 }}>{t('hint')}</p>
          </Stack>
        </Card>
      </FormScreen>
    </>
  )
}
