import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useMerchant, useMerchants } from '#portal/app/merchant.tsx'
import { useKeptInput } from './useKeptInput.ts'

interface Props {
  value: string
  choose: (merchantId: string) => void
  isDisabled?: boolean
}

/** Selects the merchant of a new record; shown under "all merchants" only. */
export function MerchantChoice({ value, choose, isDisabled = false }: Props) {
  const { t } = useTranslation(['assigned', 'form'])
  const merchant = useMerchant()
  const merchants = useMerchants()
  useKeptInput({
    name: 'merchant',
    input: value,
    isDirty: merchant.isAll && value !== '',
    restore: choose,
    isQuiet: true,
  })
  if (!merchant.isAll) return null
  return (
    <NativeSelect
      label={t('assigned:merchant')}
      withAsterisk
      required
      disabled={isDisabled}
      data={[
        { value: '', label: t('form:field.choose'), disabled: true },
        ...merchants.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={value}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  )
}
