import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { remoteCommands, type SendOutcome } from '#contract/remote-command.ts'
import { useCommand } from '../../app/api.ts'
import { ApiError } from '../../app/apiError.ts'
import { useFormat, wireInstant } from '../../app/i18n/format.ts'
import { useMerchant } from '../../app/merchant.tsx'
import type { Search } from '../../app/search.ts'
import { toast } from '../../ui/toast.tsx'
import { useNow } from '../../ui/When.tsx'
import { Wizard } from '../../ui/Wizard.tsx'
import { CommandStep } from './CommandStep.tsx'
import { amountFault, type Draft, emptyDraft, orderOf, sendCredit, windowOf } from './commandOrder.ts'
import { DeviceStep } from './DeviceStep.tsx'
import { Outcome } from './Outcome.tsx'
import { SummaryStep } from './SummaryStep.tsx'
import { useChosenMachines } from './useChosenMachines.ts'
import { WhenStep } from './WhenStep.tsx'

const restart = 4

/** The wizard: device, command, when, summary; then what became of it, machine by machine. */
export function SendCommand({ showHistory }: { showHistory: () => void }) {
  const { t } = useTranslation('remote-command')
  const format = useFormat()
  const merchant = useMerchant()
  const navigate = useNavigate()
  const now = useNow()
  const chosen = useChosenMachines()
  const [draft, setDraft] = useState<Draft>(emptyDraft)
  const [outcome, setOutcome] = useState<{ type: number; result: SendOutcome }>()
  const send = useCommand(remoteCommands.sendRemoteCommand, { isQuiet: true })
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))

  const { machines } = chosen
  const currencies = useMemo(() => [...new Set(machines.map(({ currency }) => currency))], [machines])
  const zones = useMemo(() => [...new Set(machines.map((machine) => machine.timeZone))], [machines])
  const timeZone = zones[0] ?? merchant.timeZone
  const currency = currencies.length === 1 ? currencies[0] : undefined
  const window = windowOf(draft, now)
  const isTimely = typeof window !== 'string'
  const isCommandWhole =
    draft.type !== undefined &&
    (draft.type !== sendCredit || (currency !== undefined && !amountFault(draft.amount, currency)))

  const finish = async () => {
    const fresh = windowOf(draft, new Date())
    const order =
      typeof fresh === 'string'
        ? undefined
        : orderOf(draft, currency, {
            start: fresh.start && wireInstant(fresh.start),
            expires: wireInstant(fresh.expires),
          })
    if (!order) return
    const done = (result: SendOutcome) => {
      setOutcome({ type: order.type, result })
      void navigate({
        to: '.',
        search: ({ merchant: named }: Search) => ({ merchant: named }),
        replace: true,
      } as never)
    }
    try {
      const { selection: machines } = chosen
      const params = { merchantId: merchant.id }
      done(await send.mutateAsync({ params, body: { machines, order }, isWhole: 'ids' in machines }))
    } catch (error) {
      // The summary shows how many match now, and is confirmed again.
      if (error instanceof ApiError && error.code === 'SelectionChanged') await chosen.refresh()
      if (!(error instanceof ApiError) || error.code !== 'RemoteCommandPending') return toast.error(error)
      const refused = machines.map(({ id, name }) => ({
        posId: id,
        posName: name,
        code: 'RemoteCommandPending' as const,
      }))
      done({ sent: [], refused })
    }
  }

  if (outcome) {
    const again = () => {
      setOutcome(undefined)
      setDraft(emptyDraft)
      chosen.clear()
    }
    return <Outcome type={outcome.type} outcome={outcome.result} again={again} showHistory={showHistory} />
  }
  const count = machines.length
  return (
    <Wizard
      steps={[
        { key: 'device', name: t('step.device'), isComplete: count > 0, content: <DeviceStep chosen={chosen} /> },
        {
          key: 'command',
          name: t('step.command'),
          isComplete: isCommandWhole,
          content: <CommandStep draft={draft} change={change} currenciesUsed={currencies} />,
        },
        {
          key: 'when',
          name: t('step.when'),
          isComplete: isTimely,
          content: (
            <WhenStep
              draft={draft}
              change={change}
              timeZone={timeZone}
              hasZones={zones.length > 1}
              fault={isTimely ? undefined : window}
            />
          ),
        },
        {
          key: 'summary',
          name: t('step.summary'),
          isComplete: true,
          content: isTimely && (
            <SummaryStep draft={draft} machines={machines} currency={currency} window={window} timeZone={timeZone} />
          ),
        },
      ]}
      finish={() => void finish()}
      finishName={t('send', { count, number: format.number(count) })}
      isFinishing={send.isPending}
      isDanger={draft.type === restart || draft.type === sendCredit}
    />
  )
}
