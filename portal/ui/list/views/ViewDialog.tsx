import { Button, Checkbox, Flex, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { type SavedView, savedViews, ViewName } from '#contract/platform/saved-view.ts'
import { useCommand } from '#portal/app/api.ts'
import { useLivePause } from '#portal/app/live/live.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { useKeptForm } from '#portal/ui/form/useKeptForm.ts'
import { sentenceOf } from '../../../app/apiError.ts'
import { useUpdateView } from './useUpdateView.ts'
import { type Look, viewOf } from './viewState.ts'

const Form = z.object({ name: ViewName, isShared: z.boolean(), hasColumns: z.boolean() })

interface Props {
  tableId: string
  look: Look
  /** The view to rename; without it the current state becomes a new view. */
  view?: SavedView
  close: (made?: SavedView) => void
}

/** Asks for a view's name, and who sees it. */
export default function ViewDialog({ tableId, look, view, close }: Props) {
  const { t } = useTranslation(['list', 'ui', 'errors'])
  const merchant = useMerchant()
  useLivePause(true)
  const form = useKeptForm(
    `view ${tableId} ${view?.id ?? ''}`,
    Form,
    useMemo(() => ({ name: view?.name ?? '', isShared: false, hasColumns: false }), [view]),
  )
  const create = useCommand(savedViews.createView, { says: 'list:view.saved', isQuiet: true })
  const update = useUpdateView({ says: 'list:view.renamed', isQuiet: true })
  const error = create.error ?? update.error

  const save = (event: FormEvent) => {
    event.preventDefault()
    if (form.validate().hasErrors) return
    const { name, isShared, hasColumns } = form.getValues()
    const merchantId = merchant.id
    if (!view) {
      const body = { tableId, name, isShared, ...viewOf(look, hasColumns) }
      return create.mutate({ params: { merchantId }, body }, { onSuccess: close })
    }
    const { version, filter, sortOptions, headers } = view
    const body = { version, name, isShared: view.isShared, filter, sortOptions, headers }
    update.change({ params: { merchantId, viewId: view.id }, body }, close)
  }
  const isSaving = create.isPending || update.isPending
  return (
    <Dialog
      onClose={() => close()}
      title={t(view ? 'list:view.rename' : 'list:view.save')}
      size="sm"
      closeButtonProps={{ 'aria-label': t('ui:close') }}
    >
      <form noValidate onSubmit={save}>
        <Stack gap="md">
          <TextInput
            data-autofocus
            label={t('list:view.name')}
            {...form.getInputProps('name')}
            error={form.errors.name ?? (error ? sentenceOf((key, values) => t(key, values), error) : undefined)}
            onChange={(event) => {
              create.reset()
              update.reset()
              form.setFieldValue('name', event.currentTarget.value)
            }}
          />
          {!view && (
            <>
              <Checkbox
                label={merchant.isAll ? t('list:view.shareAny') : t('list:view.shareWith', { merchant: merchant.name })}
                description={merchant.isAll ? t('errors:MerchantNotSelected') : undefined}
                disabled={merchant.isAll}
                {...form.getInputProps('isShared', { type: 'checkbox' })}
              />
              <Checkbox
                label={t('list:view.withColumns')}
                description={t('list:view.withColumnsText')}
                {...form.getInputProps('hasColumns', { type: 'checkbox' })}
              />
            </>
          )}
          <Flex gap="near" justify="flex-end">
            <Button variant="default" disabled={isSaving} onClick={() => close()}>
              {t('ui:cancel')}
            </Button>
            <Button type="submit" loading={isSaving}>
              {t('ui:save')}
            </Button>
          </Flex>
        </Stack>
      </form>
    </Dialog>
  )
}
