import { Button, Stack, Text } from '@mantine/core'
import { IconCopy, IconKey } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { associations } from '#contract/machines/association.ts'
import { useCommand } from '#portal/app/api.ts'
import { instantOf, useFormat } from '#portal/app/i18n/format.ts'
import { useMerchantOf } from '#portal/app/merchant.tsx'
import { announce } from '#portal/ui/dialog/announce.ts'
import { copyText } from '#portal/ui/value/CopyId.tsx'
import classes from './Association.module.css'

/** Creates a code with which one machine joins once, also after wrong PINs, and shows it until the page is left. */
export function OneTimeCode({ merchantId, serial }: { merchantId: string; serial: string }) {
  const { t } = useTranslation(['association', 'ui'])
  const format = useFormat()
  const { timeZone } = useMerchantOf(merchantId)
  const create = useCommand(associations.createAssociationCode)
  const start = () => create.mutate({ params: { merchantId, serial } })
  const made = create.data
  const until = instantOf(made?.expiresAt)
  if (!made || !until)
    return (
      <div className={classes.code}>
        <Text c="dimmed" fz="sm">
          {t('code.hint')}
        </Text>
        <Button
          variant="default"
          leftSection={<IconKey size={16} aria-hidden />}
          loading={create.isPending}
          onClick={start}
        >
          {t('code.create')}
        </Button>
      </div>
    )
  const copy = async () => {
    if (await copyText(made.code)) announce(t('ui:copy.done'))
  }
  return (
    <Stack
      gap="tight"
      align="center"
      p="md"
      bd="1px solid var(--gold-fill)"
      bdrs="lg"
      bg="var(--gold-soft)"
      ta="center"
      className={classes.pin}
      role="status"
    >
      <Text span fw={620}>
        {t('code.name', { serial })}
      </Text>
      <Text span ff="monospace" fz="clamp(24px, 7vw, 34px)" fw={600} lh="1.25" className={classes.codeValue}>
        {made.code.replace(/(.{4})(?=.)/g, '$1 ')}
      </Text>
      <Button
        variant="subtle"
        leftSection={<IconCopy size={16} aria-hidden />}
        aria-label={t('ui:copy.do', { value: made.code })}
        onClick={() => void copy()}
      >
        {t('copyShort')}
      </Button>
      <Text span c="dimmed" fz="sm">
        {t('code.note', { time: format.instant(until, 'minute', timeZone) })}
      </Text>
      <Button variant="subtle" loading={create.isPending} onClick={start}>
        {t('code.again')}
      </Button>
    </Stack>
  )
}
