//@ if thread
{
//@ else
if (lane == 0) {
//@ end
