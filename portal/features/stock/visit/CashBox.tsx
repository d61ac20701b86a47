import { Button, Flex, Switch, Text, TextInput } from '@mantine/core'
import { IconScan } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { VisitPlan } from '#contract/stock/visit.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { canScan, ScanDialog } from './ScanDialog.tsx'
import classes from './Visit.module.css'

interface CashInput {
  isTaken: boolean
  bag: string
}

interface Props {
  plan: VisitPlan
  value: CashInput
  fault: string | undefined
  change: (value: CashInput) => void
}

/** Whether the cash box was taken, and the number of its bag. */
export function CashBox({ plan: { cashInBox, cashBoxCapacity, currency }, value, fault, change }: Props) {
  const { t } = useTranslation('visit')
  const format = useFormat()
  const [isScanning, setScanning] = useState(false)
  const facts = [
    cashInBox !== null && t('cash.about', { amount: format.money(cashInBox, currency) }),
    cashInBox !== null && cashBoxCapacity && t('cash.full', { percent: format.percent(cashInBox / cashBoxCapacity) }),
  ]
  return (
    <Card
      title={t('cash.title')}
      note={facts.filter(Boolean).join(' · ')}
      actions={
        <Switch
          size="lg"
          checked={value.isTaken}
          aria-label={t('cash.title')}
          onChange={({ currentTarget }) => change({ ...value, isTaken: currentTarget.checked })}
        />
      }
    >
      {value.isTaken ? (
        <Flex gap="xs" align="flex-end" className={classes.bag}>
          <TextInput
            label={t('cash.bag')}
            size="md"
            value={value.bag}
            maxLength={40}
            error={fault}
            autoComplete="off"
            onChange={({ currentTarget }) => change({ ...value, bag: currentTarget.value })}
          />
          {canScan() && (
            <Button
              variant="default"
              size="md"
              leftSection={<IconScan size={18} aria-hidden />}
              onClick={() => setScanning(true)}
            >
              {t('cash.scan')}
            </Button>
          )}
        </Flex>
      ) : (
        <Text fz="sm" className={classes.fine}>
          {t('cash.hint')}
        </Text>
      )}
      {isScanning && (
        <ScanDialog
          onCode={(bag) => {
            setScanning(false)
            change({ ...value, bag: bag.slice(0, 40) })
          }}
          close={() => setScanning(false)}
        />
      )}
    </Card>
  )
}
