import { Button, Flex, Modal, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Kiosk, kiosks, mostKiosks } from '#contract/sales/kiosk.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { AddressMerchant, useMerchant } from '#portal/app/merchant.tsx'
import { useMay } from '#portal/app/session/useMay.ts'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { formWidth } from '#portal/ui/form/FormScreen.tsx'
import { Card } from '#portal/ui/page/Card.tsx'
import { OneMerchantPage } from '#portal/ui/page/OneMerchantPage.tsx'
import { SecretRow } from '#portal/ui/secret/SecretRow.tsx'
import { SecretShown } from '#portal/ui/secret/SecretShown.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import { kioskLooks } from './kioskLooks.ts'
import { NewKioskForm } from './NewKioskForm.tsx'

/** The links of a merchant's wall displays. */
export default function KiosksScreen() {
  return (
    <AddressMerchant>
      <Displays />
    </AddressMerchant>
  )
}

/** The step of the dialog. */
type Open = { kind: 'new' } | { kind: 'shown'; link: string; name: string }

function Displays() {
  const { t } = useTranslation('kiosk')
  const { id: merchantId, name, isAll } = useMerchant()
  const [open, setOpen] = useState<Open>()
  const mayWrite = useMay({ needs: 'settings.write' })
  const answer = useQuery({ ...queryOf(kiosks.listKiosks, { params: { merchantId } }), enabled: !isAll })
  const close = () => setOpen(undefined)
  return (
    <OneMerchantPage words="kiosk" title={t('title')} subtitle={t('subtitle', { merchant: name })} query={answer}>
      {(rows) => (
        <Stack gap="md" maw={formWidth}>
          <Card
            title={t('links')}
            note={t('note')}
            isFlush
            actions={
              mayWrite && (
                <Button
                  variant="default"
                  size="xs"
                  leftSection={<IconPlus size={14} aria-hidden />}
                  disabled={rows.length >= mostKiosks}
                  onClick={() => setOpen({ kind: 'new' })}
                >
                  {t('new')}
                </Button>
              )
            }
          >
            {rows.length === 0 && (
              <Text py="part" px="md" c="dimmed">
                {t('none')}
              </Text>
            )}
            {rows.map((kiosk) => (
              <Row key={kiosk.id} kiosk={kiosk} mayEnd={mayWrite} />
            ))}
          </Card>
          <Modal
            opened={open !== undefined}
            onClose={close}
            size="lg"
            title={open && t(`dialog.${open.kind}`, { name: open.kind === 'shown' ? open.name : '' })}
            // A link is shown once, so a click outside does not close it.
            closeOnClickOutside={open?.kind !== 'shown'}
            withCloseButton={false}
          >
            {open?.kind === 'new' && (
              <NewKioskForm done={(link, made) => setOpen({ kind: 'shown', link, name: made.name })} cancel={close} />
            )}
            {open?.kind === 'shown' && (
              <SecretShown secret={open.link} once={t('once')} copyName={t('copy')} closeName={t('kept')} close={close}>
                <Text c="dimmed" fz="fine">
                  {t('onceText')}
                </Text>
              </SecretShown>
            )}
          </Modal>
        </Stack>
      )}
    </OneMerchantPage>
  )
}

function Row({ kiosk, mayEnd }: { kiosk: Kiosk; mayEnd: boolean }) {
  const { t } = useTranslation(['kiosk', 'ui'])
  const format = useFormat()
  const { id: merchantId } = useMerchant()
  const { ask, dialog } = useConfirm()
  const end = useCommand(kiosks.endKiosk, { says: 'kiosk:ended' })
  const { id: kioskId, name, shows, groupName, lastDay, state } = kiosk
  const title = (
    <Flex gap="near" wrap="wrap" align="center">
      <Text span fw={600} className="breaks">
        {name}
      </Text>
      <StatusBadge of={kioskLooks} value={state} />
    </Flex>
  )
  const opens = [
    t(`kiosk:shows.${shows}`),
    groupName ?? t('kiosk:allGroups'),
    t('kiosk:until', { day: format.day(lastDay) }),
  ].join(' · ')
  return (
    <SecretRow title={title} opens={opens} use={kiosk} word={(key, values) => t(`kiosk:${key}`, values)}>
      {mayEnd && (
        <Button
          variant="default"
          size="xs"
          color="crit"
          aria-label={t('kiosk:endNamed', { name })}
          onClick={() =>
            ask({
              title: t('kiosk:endAsk', { name }),
              consequence: t('kiosk:endConsequence'),
              confirm: t('kiosk:endDo'),
              dismiss: { how: 'keep' },
              isDanger: true,
              act: () => end.mutateAsync({ params: { merchantId, kioskId } }),
            })
          }
        >
          {t('kiosk:end')}
        </Button>
      )}
      {dialog}
    </SecretRow>
  )
}
