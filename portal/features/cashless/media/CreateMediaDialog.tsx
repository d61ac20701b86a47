import { Button, Flex, NativeSelect, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mediaActs } from '#contract/cashless/media-acts.ts'
import { ownMediaTypes } from '#contract/vocabulary/cashless.ts'
import { useCommand } from '#portal/app/api.ts'
import { useGo } from '#portal/app/go.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useCodeNames } from '#portal/features/sales/transaction/useCodeNames.ts'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { useKeptState } from '#portal/ui/form/useKeptInput.ts'
import { placeOfMedia } from '../../../ui/value/placeOfMedia.ts'

/** Registers a medium by its serial, and opens its page. */
export function CreateMediaDialog({ close }: { close: () => void }) {
  const { t } = useTranslation(['media', 'ui'])
  const { id: merchantId } = useMerchant()
  const names = useCodeNames()
  const go = useGo()
  const [serial, setSerial] = useKeptState('new medium', '')
  const [type, setType] = useState('2')
  const create = useCommand(mediaActs.createMedia, {
    says: ({ serial: name }) => ({ key: 'media:created', values: { name } }),
    onDone: ({ id }) => {
      close()
      void go(placeOfMedia(id))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (serial.trim()) create.mutate({ params: { merchantId }, body: { serial, type: Number(type) } })
  }
  return (
    <Dialog onClose={close} title={t('media:create.title')}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            label={t('media:field.serial')}
            description={t('media:create.serial')}
            value={serial}
            onChange={(event) => setSerial(event.currentTarget.value)}
            maxLength={60}
            autoComplete="off"
            required
            data-autofocus
          />
          <NativeSelect
            label={t('media:field.type')}
            value={type}
            onChange={(event) => setType(event.currentTarget.value)}
            data={ownMediaTypes.map((code) => ({ value: String(code), label: names.mediaType(code) }))}
          />
          <Flex gap="sm" wrap="wrap" justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('ui:cancel')}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {t('media:create.confirm')}
            </Button>
          </Flex>
        </Stack>
      </form>
    </Dialog>
  )
}
