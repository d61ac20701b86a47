import { Button, Flex, Select, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { customers } from '#contract/cashless/customer.ts'
import type { Media } from '#contract/cashless/media.ts'
import { mediaActs } from '#contract/cashless/media-acts.ts'
import { enoughLetters } from '#contract/frame/shapes.ts'
import { pagedQueryOf, useCommand } from '#portal/app/api.ts'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'

/** Assigns a medium to a customer, or removes its customer. */
export function OwnerDialog({ media, close }: { media: Media; close: () => void }) {
  const { t } = useTranslation(['media', 'ui'])
  const { merchantId, id: mediaId } = media
  const [customerId, setCustomer] = useState(media.customerId)
  const [search, setSearch] = useState('')
  const text = search.trim()
  const { data } = useQuery(
    pagedQueryOf(customers.listCustomers, {
      params: { merchantId },
      query: {
        size: 50,
        ord: 'name',
        ...(text.length >= enoughLetters && text !== media.customerName && { search: text }),
      },
    }),
  )
  const assign = useCommand(mediaActs.setMediaCustomer, { says: 'media:owner.done', onDone: close })
  const matches = (data?.items ?? []).map(({ id, name, email }) => ({
    value: id,
    label: [name, email].filter(Boolean).join(' · '),
  }))
  const isOwnerMissing = media.customerId && !matches.some(({ value }) => value === media.customerId)
  const options = isOwnerMissing
    ? [{ value: media.customerId ?? '', label: media.customerName ?? '' }, ...matches]
    : matches
  const submit = (event: FormEvent) => {
    event.preventDefault()
    assign.mutate({ params: { merchantId, mediaId }, body: { customerId } })
  }
  return (
    <Dialog onClose={close} title={t('media:owner.title', { name: media.serial })}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <Select
            label={t('media:field.customer')}
            placeholder={t('media:owner.nobody')}
            data={options}
            value={customerId}
            onChange={setCustomer}
            onSearchChange={setSearch}
            searchable
            clearable
            comboboxProps={{ withinPortal: true }}
            data-autofocus
          />
          <Flex gap="sm" wrap="wrap" justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('ui:cancel')}
            </Button>
            <Button type="submit" loading={assign.isPending}>
              {t('media:owner.confirm')}
            </Button>
          </Flex>
        </Stack>
      </form>
    </Dialog>
  )
}
