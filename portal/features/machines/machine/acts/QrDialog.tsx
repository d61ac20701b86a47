import { Button, Flex, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Machine } from '#contract/machines/machine.ts'
import { machineActs } from '#contract/machines/machine-acts.ts'
import { download, queryOf } from '#portal/app/api.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import QrCode from '#portal/ui/value/QrCode.tsx'
import classes from './QrDialog.module.css'

/** The QR code of a machine: shown and downloaded. */
export default function QrDialog({ machine, close }: { machine: Machine; close: () => void }) {
  const { t } = useTranslation('machine-act')
  const { merchantId, id: posId, name, serial } = machine
  const { data, error } = useQuery(queryOf(machineActs.getQrCode, { params: { merchantId, posId } }))
  const url = data?.url
  const save = (format: 'png' | 'svg') =>
    download(
      machineActs.downloadQrCode,
      { params: { merchantId, posId }, query: { format } },
      `${serial}.${format}`,
    ).catch(toast.error)
  return (
    <Dialog onClose={close} title={t('qr.title', { machine: name })} size="md">
      <div className={classes.picture}>
        {url && <QrCode text={url} label={t('qr.picture', { url })} />}
        {error && <ErrorState error={error} />}
      </div>
      <Text mt="sm" mb="tight" ta="center" className="breaks">
        {url && <CopyId value={url} />}
      </Text>
      <Text mb="md" c="dimmed" ta="center" textWrap="balance">
        {t('qr.hint')}
      </Text>
      <Flex gap="near" wrap="wrap" justify="center">
        {(['png', 'svg'] as const).map((format) => (
          <Button
            key={format}
            variant="default"
            leftSection={<IconDownload size={15} aria-hidden />}
            onClick={() => void save(format)}
          >
            {t(`qr.${format}`)}
          </Button>
        ))}
      </Flex>
    </Dialog>
  )
}
