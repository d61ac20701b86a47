import { useTranslation } from 'react-i18next'
import { Card } from '../../ui/Card.tsx'
import { AddressFields } from '../../ui/form/fields/AddressFields.tsx'
import { PhoneField } from '../../ui/form/fields/PhoneField.tsx'
import { TextField } from '../../ui/form/fields/TextField.tsx'
import { UrlField } from '../../ui/form/fields/UrlField.tsx'
import { VatField } from '../../ui/form/fields/VatField.tsx'
import type { SchemaForm } from '../../ui/form/useSchemaForm.ts'
import classes from './Client.module.css'
import type { ClientValues } from './clientForm.ts'

/** All that is known of a client: who it is, where, and whom one speaks to. */
export function ClientFields({ form }: { form: SchemaForm<ClientValues> }) {
  const { t } = useTranslation('client')
  const { country } = form.getValues()
  return (
    <>
      <Card title={t('card.who')}>
        <div className={classes.fields}>
          <TextField form={form} name="code" label={t('field.code')} isRequired maxLength={50} />
          <TextField form={form} name="name" label={t('field.name')} isRequired maxLength={200} />
          <TextField form={form} name="companyName" label={t('field.companyName')} isNullable maxLength={200} />
          {/* A code is read by its country, so it is read again when that changes. */}
          <VatField key={country} form={form} name="vatCode" label={t('field.vatCode')} country={country} />
        </div>
      </Card>
      <Card title={t('card.where')}>
        <AddressFields
          form={form}
          names={{ street: 'address', postalCode: 'zipCode', city: 'city', province: 'province', country: 'country' }}
        />
      </Card>
      <Card title={t('card.contact')}>
        <div className={classes.fields}>
          <TextField form={form} name="contactName" label={t('field.contactName')} isNullable maxLength={200} />
          <TextField
            form={form}
            name="contactEmail"
            label={t('field.contactEmail')}
            isNullable
            maxLength={254}
            inputMode="email"
          />
          <PhoneField form={form} name="phone" label={t('field.phone')} country={country} />
          <UrlField form={form} name="website" label={t('field.website')} />
        </div>
      </Card>
    </>
  )
}
