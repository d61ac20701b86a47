import { Button, Flex, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ChangeFundKind, NewChangeFundEntry, type RoundMoney, roundMoney } from '#contract/cash/round-money.ts'
import type { Round } from '#contract/stock/round.ts'
import { useCommand } from '#portal/app/api.ts'
import { newId } from '#portal/app/uuid.ts'
import { Dialog } from '#portal/ui/dialog/Dialog.tsx'
import { MoneyInput } from '#portal/ui/form/fields/MoneyField.tsx'
import { useKeptState } from '#portal/ui/form/useKeptInput.ts'

interface Props {
  round: Round
  kind: ChangeFundKind
  money: RoundMoney
  close: () => void
}

interface Input {
  /** The entry's id: the same dialog sent twice is booked once. */
  id: string
  amount: number | string | null
  note: string
}

/** Books change that the driver of a round gets or brings back. What comes back is offered as all that is open. */
export function ChangeFundDialog({ round, kind, money, close }: Props) {
  const { t } = useTranslation(['round-money', 'ui', 'form'])
  const [input, setInput] = useKeptState<Input>(`change ${kind} ${round.id}`, () => ({
    id: newId(),
    amount: kind === 'returned' ? money.changeFund.open : null,
    note: '',
  }))
  const [isTried, setTried] = useState(false)
  const book = useCommand(roundMoney.bookChangeFund, { says: 'round-money:fund.booked', onDone: close })
  const { data: entry } = NewChangeFundEntry.safeParse({ ...input, kind, note: input.note.trim() || null })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (entry) book.mutate({ params: { merchantId: round.merchantId, roundId: round.id }, body: entry })
  }
  return (
    <Dialog onClose={close} title={t(kind === 'given' ? 'fund.give' : 'fund.takeBack')}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <MoneyInput
            label={t('fund.amount')}
            value={input.amount}
            set={(amount) => setInput((now) => ({ ...now, amount }))}
            currency={money.currency}
            required
            data-autofocus
            error={isTried && !entry && t('form:rule.number')}
          />
          <TextInput
            label={t('fund.note')}
            value={input.note}
            maxLength={500}
            onChange={({ currentTarget: { value } }) => setInput((now) => ({ ...now, note: value }))}
          />
          <Flex gap="near" justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('ui:cancel')}
            </Button>
            <Button type="submit" loading={book.isPending}>
              {t('fund.book')}
            </Button>
          </Flex>
        </Stack>
      </form>
    </Dialog>
  )
}
