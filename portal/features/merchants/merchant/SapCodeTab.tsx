import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { type SapCode, SapCodeFields, sapCodes } from '#contract/merchants/sap-code.ts'
import { call, queryOf, useCommand } from '#portal/app/api.ts'
import { useGo, useLeave } from '#portal/app/go.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { FormScreen } from '#portal/ui/form/FormScreen.tsx'
import { TextField } from '#portal/ui/form/fields/TextField.tsx'
import { useSchemaForm } from '#portal/ui/form/useSchemaForm.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { ScreenSkeleton } from '#portal/ui/part/ScreenSkeleton.tsx'

const schema = z.strictObject(SapCodeFields)
type Values = z.infer<typeof schema>
const valuesOf = ({ version, code, description }: SapCode) => ({ version, values: { code, description } })

const listOf = (merchantId: string) => ({ to: '/admin/merchants/$merchantId/sapcodes', params: { merchantId } })

/** Creates, changes or deletes a SAP code of a merchant's keys. */
export default function SapCodeTab() {
  const { merchantId, sapCodeId } = useParams({ strict: false }) as { merchantId: string; sapCodeId?: string }
  return sapCodeId ? <EditSapCode merchantId={merchantId} sapCodeId={sapCodeId} /> : <Form merchantId={merchantId} />
}

function EditSapCode({ merchantId, sapCodeId }: { merchantId: string; sapCodeId: string }) {
  const { data, error, refetch } = useQuery(queryOf(sapCodes.getSapCode, { params: { merchantId, sapCodeId } }))
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  return data ? <Form key={data.id} merchantId={merchantId} sapCode={data} /> : <ScreenSkeleton />
}

function Form({ merchantId, sapCode }: { merchantId: string; sapCode?: SapCode }) {
  const { t } = useTranslation('merchant')
  const go = useGo()
  const leave = useLeave()
  const client = useQueryClient()
  const { ask, dialog } = useConfirm()
  const form = useSchemaForm<Values>(schema, sapCode ? valuesOf(sapCode).values : { code: '', description: '' })
  const create = useCommand(sapCodes.createSapCode, { isQuiet: true })
  const update = useCommand(sapCodes.updateSapCode, { isQuiet: true })
  const path = { merchantId, sapCodeId: sapCode?.id ?? '' }
  const save = async (values: Values, version: number) => {
    const saved = sapCode
      ? await update.mutateAsync({ params: path, body: { version, ...values } })
      : await create.mutateAsync({ params: { merchantId }, body: values })
    toast.success('merchant:sapCode.saved')
    if (!sapCode) await leave(listOf(merchantId))
    return saved
  }
  const askDelete = () =>
    ask({
      title: t('sapCode.delete.title', { code: sapCode?.code }),
      consequence: t('sapCode.delete.text'),
      confirm: t('sapCode.delete.confirm'),
      dismiss: { how: 'keep' },
      isDanger: true,
      act: async () => {
        // Not a command, which would refetch the deleted code while it is still on the screen.
        await call(sapCodes.deleteSapCode, { params: path }).catch((error: unknown) => {
          toast.error(error)
          throw error
        })
        toast.success('merchant:sapCode.deleted')
        await leave(listOf(merchantId))
        await client.invalidateQueries()
      },
    })
  const record = sapCode && {
    ...valuesOf(sapCode),
    read: (saved: unknown) => valuesOf(saved as SapCode),
    names: { code: t('sapCode.code'), description: t('sapCode.description') },
  }
  return (
    <Card
      title={sapCode ? t('sapCode.edit') : t('sapCode.new')}
      actions={
        sapCode && (
          <Button variant="default" size="xs" onClick={askDelete}>
            {t('sapCode.delete.confirm')}
          </Button>
        )
      }
    >
      <FormScreen
        form={form}
        {...(record && { record })}
        save={save}
        isSaving={create.isPending || update.isPending}
        error={sapCode ? update.error : create.error}
        codes={{ SapCodeTaken: 'code' }}
        cancel={() => void go(listOf(merchantId))}
      >
        <TextField form={form} name="code" label={t('sapCode.code')} isRequired maxLength={40} autoComplete="off" />
        <TextField form={form} name="description" label={t('sapCode.description')} maxLength={200} autoComplete="off" />
      </FormScreen>
      {dialog}
    </Card>
  )
}
