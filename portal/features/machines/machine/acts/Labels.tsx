import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { machineActs } from '#contract/machines/machine-acts.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { queryOf } from '#portal/app/api.ts'
import QrCode from '#portal/ui/value/QrCode.tsx'
import classes from './Labels.module.css'

/** The content of a machine's label. */
export interface Labelled {
  id: string
  name: string
  serial: string
  merchantName: string
}

/** Labels of 70 by 37 mm, on a sheet of 24. */
export function Labels({ machines }: { machines: readonly Labelled[] }) {
  return (
    <div className={classes.labels}>
      {machines.map((machine) => (
        <Label key={machine.id} machine={machine} />
      ))}
    </div>
  )
}

function Label({ machine: { id, name, serial, merchantName } }: { machine: Labelled }) {
  const { t } = useTranslation('machine-act')
  const { data } = useQuery(queryOf(machineActs.getQrCode, { params: { merchantId: allMerchants, posId: id } }))
  const url = data?.url
  return (
    <div className={classes.label}>
      <div className={classes.code}>{url && <QrCode text={url} label={t('qr.picture', { url })} />}</div>
      <div className={classes.said}>
        <strong className={classes.name}>{name}</strong>
        <span className={classes.serial}>{serial}</span>
        <span className={classes.merchant}>{merchantName}</span>
      </div>
    </div>
  )
}

/** Printed in place of the screen while it is mounted. */
export function PrintSheet({ machines }: { machines: readonly Labelled[] }) {
  useEffect(() => {
    document.documentElement.dataset.printing = 'labels'
    return () => {
      delete document.documentElement.dataset.printing
    }
  }, [])
  return createPortal(
    <div className={classes.sheet} data-print-sheet aria-hidden>
      <Labels machines={machines} />
    </div>,
    document.body,
  )
}
