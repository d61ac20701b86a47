import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type CollectionDetail, cashCollections } from '#contract/cash/collection.ts'
import { useCommand } from '#portal/app/api.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { KeptTextarea, KeptTextInput } from '#portal/ui/form/KeptTextarea.tsx'

/** The steps of a collection beside its count. Each asks for its text first. */
export function useCollectionActs({ id, merchantId, version, status, bagNumber }: CollectionDetail) {
  const { t } = useTranslation('cash-collection')
  const { ask, dialog } = useConfirm()
  const text = useRef<HTMLTextAreaElement & HTMLInputElement>(null)
  const params = { merchantId, collectionId: id }
  const setBag = useCommand(cashCollections.setCashCollectionBag, { says: 'cash-collection:saved' })
  const dispute = useCommand(cashCollections.disputeCashCollection, { says: 'cash-collection:disputed' })
  const close = useCommand(cashCollections.closeCashCollection, { says: 'cash-collection:closed' })
  const reopen = useCommand(cashCollections.reopenCashCollection, { says: 'cash-collection:reopened' })

  /** The typed text. Without a text that is needed, the dialog stays open. */
  const typed = (isRequired: boolean): string => {
    const reason = text.current?.value.trim() ?? ''
    if (isRequired && reason === '') {
      text.current?.focus()
      toast.warning('cash-collection:textRequired')
      throw new Error('A text is missing')
    }
    return reason
  }
  const reason = (name: 'dispute' | 'close' | 'reopen', isRequired: boolean) => (
    <KeptTextarea
      name={`${name} reason`}
      ref={text}
      label={t(`${name}.text`)}
      withAsterisk={isRequired}
      maxLength={1000}
      autosize
      minRows={3}
      data-autofocus
    />
  )
  const asking =
    (name: 'dispute' | 'close' | 'reopen', isRequired: boolean, act: (text: string) => Promise<unknown>) => () =>
      ask({
        title: t(`${name}.title`),
        consequence: t(`${name}.consequence`),
        confirm: t(`${name}.do`),
        dismiss: { how: 'leave' },
        children: reason(name, isRequired),
        act: () => act(typed(isRequired)),
      })
  return {
    dialog,
    setBag: () =>
      ask({
        title: t('bag.set'),
        consequence: t('bag.consequence'),
        confirm: t('bag.save'),
        dismiss: { how: 'leave' },
        children: (
          <KeptTextInput
            name="bag number"
            ref={text}
            label={t('column.bagNumber')}
            initial={bagNumber ?? ''}
            maxLength={40}
            autoComplete="off"
            data-autofocus
          />
        ),
        act: () => setBag.mutateAsync({ params, body: { version, bagNumber: typed(true) } }),
      }),
    dispute: asking('dispute', true, (reason) => dispute.mutateAsync({ params, body: { version, reason } })),
    close: asking('close', status === 'disputed', (note) => close.mutateAsync({ params, body: { version, note } })),
    reopen: asking('reopen', true, (reason) => reopen.mutateAsync({ params, body: { version, reason } })),
  }
}
