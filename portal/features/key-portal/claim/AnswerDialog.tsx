import { Button, Flex, Stack, Textarea } from '@mantine/core'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { type ClaimDetails, claims } from '#contract/key-portal/claim.ts'
import { useCommand } from '#portal/app/api.ts'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { useKeptState } from '#portal/ui/form/useKeptInput.ts'

/** Closes a claim without a refund, with a message to the customer. */
export function AnswerDialog({
  claim,
  state,
  close,
}: {
  claim: ClaimDetails
  state: 'refused' | 'answered'
  close: () => void
}) {
  const { t } = useTranslation(['claim', 'ui'])
  const [answer, setAnswer] = useKeptState(`answer ${claim.id}`, '')
  const send = useCommand(claims.answerClaim, {
    says: ({ number }) => ({ key: 'claim:close.done', values: { number } }),
    onDone: close,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (answer.trim() === '') return
    send.mutate({
      params: { merchantId: claim.merchantId, claimId: claim.id },
      body: { state, answer: answer.trim() },
    })
  }
  const title = t(state === 'refused' ? 'claim:close.refuseTitle' : 'claim:close.answerTitle', { number: claim.number })
  return (
    <Dialog onClose={close} title={title}>
      <form onSubmit={submit}>
        <Stack gap="part">
          <Textarea
            data-autofocus
            required
            label={t('claim:close.text')}
            description={t('claim:close.hint')}
            autosize
            minRows={3}
            maxLength={1000}
            value={answer}
            onChange={({ currentTarget }) => setAnswer(currentTarget.value)}
          />
          <Flex gap="xs" justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('ui:cancel')}
            </Button>
            <Button type="submit" disabled={answer.trim() === ''} loading={send.isPending}>
              {t(state === 'refused' ? 'claim:close.refuse' : 'claim:close.answer')}
            </Button>
          </Flex>
        </Stack>
      </form>
    </Dialog>
  )
}
