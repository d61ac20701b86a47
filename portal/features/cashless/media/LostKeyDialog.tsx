import { Button, Flex, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Media } from '#contract/cashless/media.ts'
import { mediaActs } from '#contract/cashless/media-acts.ts'
import { call, useCommand } from '#portal/app/api.ts'
import { ApiError } from '#portal/app/apiError.ts'
import { useGo } from '#portal/app/go.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { useKeptState } from '#portal/ui/form/useKeptInput.ts'
import { placeOfMedia } from '../../../ui/value/placeOfMedia.ts'

/** Moves the credit, bonus and owner of a lost key to a newly registered medium, named by its serial. */
export function LostKeyDialog({ media, close }: { media: Media; close: () => void }) {
  const { t } = useTranslation(['media', 'form', 'ui'])
  const go = useGo()
  const { merchantId } = media
  const [serial, setSerial] = useKeptState(`lost key ${media.id}`, '')
  const [isRefused, setRefused] = useState(false)
  /** A serial that no medium has yet. */
  const [isNew, setNew] = useState(false)
  const replace = useCommand(mediaActs.lostMyKey, { isQuiet: true })
  const change = (text: string) => {
    setSerial(text)
    setRefused(false)
    setNew(false)
  }
  const move = async (mediaId: string) => {
    try {
      await replace.mutateAsync({ params: { merchantId, mediaId: media.id }, body: { MediaId: mediaId } })
      toast.success('media:lostKey.done', { name: serial })
      close()
      void go(placeOfMedia(mediaId))
    } catch (error) {
      if (error instanceof ApiError && error.code === 'ValidationFailed') setRefused(true)
      else toast.error(error)
    }
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (serial.trim() === '') return
    try {
      const body = { mediaSerials: [serial] }
      const [newMedia] = await call(mediaActs.validateMedias, { params: { merchantId }, body })
      if (newMedia?.mediaId) return await move(newMedia.mediaId)
      setRefused(true)
      setNew(newMedia?.mediaSerial !== null)
    } catch (error) {
      toast.error(error)
    }
  }
  const register = async () => {
    try {
      const made = await call(mediaActs.createMedia, { params: { merchantId }, body: { serial, type: media.type } })
      setRefused(false)
      await move(made.id)
    } catch (error) {
      toast.error(error)
    }
  }
  return (
    <Dialog onClose={close} title={t('media:lostKey.title', { name: media.serial })}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="md">
          <Text c="dimmed">{t('media:lostKey.consequence')}</Text>
          <TextInput
            label={t('media:lostKey.serial')}
            value={serial}
            onChange={(event) => change(event.currentTarget.value)}
            error={isRefused && t('form:rule.lostKey')}
            maxLength={60}
            autoComplete="off"
            required
            data-autofocus
          />
          {isNew && (
            <Button variant="default" onClick={() => void register()}>
              {t('media:lostKey.register', { name: serial })}
            </Button>
          )}
          <Flex gap="sm" wrap="wrap" justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('ui:cancel')}
            </Button>
            <Button type="submit" loading={replace.isPending}>
              {t('media:lostKey.confirm')}
            </Button>
          </Flex>
        </Stack>
      </form>
    </Dialog>
  )
}
