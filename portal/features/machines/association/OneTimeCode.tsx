import { Button } from '@mantine/core'
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
        <p className={classes.fine}>{t('code.hint')}</p>
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
    <div className={classes.pin} role="status">
      <span className={classes.pinName}>{t('code.name', { serial })}</span>
      <span className={classes.codeValue}>{made.code.replace(/(.{4})(?=.)/g, '$1 ')}</span>
      <Button
        variant="subtle"
        leftSection={<IconCopy size={16} aria-hidden />}
        aria-label={t('ui:copy.do', { value: made.code })}
        onClick={() => void copy()}
      >
        {t('copyShort')}
      </Button>
      <span className={classes.pinNote}>{t('code.note', { time: format.instant(until, 'minute', timeZone) })}</span>
      <Button variant="subtle" loading={create.isPending} onClick={start}>
        {t('code.again')}
      </Button>
    </div>
  )
}
