import { Button, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { DetailDrawer, DrawerPart, useOpenDetail } from '#portal/ui/dialog/DetailDrawer.tsx'
import { Facts } from '#portal/ui/value/Facts.tsx'
import { alarmStatusLooks } from '#portal/ui/value/looks.ts'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { Row } from './Part.tsx'

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Confirmations, and a drawer beside the page. */
export function DialogsSection() {
  const { t } = useTranslation('kit')
  const { ask, dialog } = useConfirm()
  const drawer = useOpenDetail('drawer')
  const question = {
    title: t('dialog.title'),
    consequence: t('dialog.consequence'),
    confirm: t('dialog.confirm'),
    dismiss: { how: 'keep', count: 3 },
  } as const
  return (
    <Row>
      <Button variant="default" onClick={() => ask({ ...question, isDanger: true, act: () => wait(600) })}>
        {t('dialog.danger')}
      </Button>
      <Button
        variant="default"
        onClick={() =>
          ask({
            ...question,
            children: <Textarea label={t('dialog.note')} data-autofocus />,
            act: () => Promise.reject(new Error('The act of the kit fails')),
          })
        }
      >
        {t('dialog.fails')}
      </Button>
      <Button variant="default" onClick={() => drawer.open(crypto.randomUUID())}>
        {t('dialog.drawer')}
      </Button>
      <DetailDrawer
        isOpen={drawer.key !== undefined}
        close={drawer.close}
        title={t('dialog.drawer')}
        badges={<StatusBadge of={alarmStatusLooks} value="active" />}
        actions={<Button variant="default">{t('list.act')}</Button>}
      >
        <DrawerPart name={t('section.facts')} note="UTC">
          <Facts facts={[{ name: t('fact.address'), value: t('fact.long') }]} />
        </DrawerPart>
      </DetailDrawer>
      {dialog}
    </Row>
  )
}
