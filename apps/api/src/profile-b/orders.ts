import { type Route, route } from '../http/route.ts'
import { OrderId } from '../ids.ts'
import { OrderCreate, OrderResponse } from './shapes.ts'

/** An order is answered and not kept: no endpoint reads one, so that keeping them would only fill the memory. */
export const orderRoutes = (): Route[] => [
  route(
    {
      method: 'post',
      path: '/orders',
      id: 'createOrder',
      tag: 'orders',
      summary: 'Order a product for a user',
      description:
        'Any identifiers of the right types will do: whether user and product exist is not checked.',
      body: OrderCreate,
      success: { status: 200, description: 'The new order', body: OrderResponse },
    },
    async ({ body: { user_id, product_id } }) => ({ order_id: OrderId.generate(), user_id, product_id }),
  ),
]
