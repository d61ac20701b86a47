import { Button, Flex, Radio, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Round, RoundStop } from '#contract/stock/round.ts'
import { type SkipReason, skipReasons } from '#contract/stock/round-status.ts'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { useKeptState } from '#portal/ui/form/useKeptInput.ts'
import { useStep } from '../outbox/useStep.ts'

/** Asks why a stop is skipped; the office sees the reason at once. */
export function SkipDialog({ round, stop, close }: { round: Round; stop: RoundStop; close: () => void }) {
  const { t } = useTranslation(['round', 'ui'])
  const [reason, setReason] = useState<SkipReason>('closed')
  const [note, setNote] = useKeptState(`skip ${stop.id}`, '')
  const { take, isPending } = useStep(close)
  const skip = () =>
    take({
      kind: 'skip',
      id: `skip ${stop.id}`,
      merchantId: round.merchantId,
      roundId: round.id,
      stopId: stop.id,
      posId: stop.posId,
      posName: stop.posName,
      body: { reason, note: note.trim() || null },
    })
  return (
    <Dialog onClose={close} title={t('round:skip.title', { name: stop.posName })} size="md">
      <Stack gap="part">
        <Radio.Group label={t('round:skip.why')} value={reason} onChange={(value) => setReason(value as SkipReason)}>
          <Stack gap="xs" mt="near">
            {skipReasons.map((one) => (
              <Radio key={one} value={one} label={t(`round:skip.reason.${one}`)} />
            ))}
          </Stack>
        </Radio.Group>
        <Textarea
          label={t('round:skip.note')}
          value={note}
          maxLength={500}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        <Flex gap="near" wrap="wrap" mt="part">
          <Button loading={isPending} onClick={() => void skip()}>
            {t('round:skip.confirm')}
          </Button>
          <Button variant="default" onClick={close}>
            {t('ui:cancel')}
          </Button>
        </Flex>
      </Stack>
    </Dialog>
  )
}
