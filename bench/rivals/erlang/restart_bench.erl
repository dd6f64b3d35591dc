%% Crash of a supervised, registered gen_server until its next incarnation answers; prints `done <count> <microseconds>`.
-module(restart_bench).
-behaviour(supervisor).
-export([main/1, init/1]).

init([]) ->
    {ok, {#{strategy => one_for_one, intensity => 100000000, period => 1},
          [#{id => crasher, start => {crash_server, start_link, []}}]}}.

main(Count) ->
    logger:set_primary_config(level, none),
    {ok, _} = supervisor:start_link({local, root}, ?MODULE, []),
    loop(Count div 5),
    Start = erlang:monotonic_time(microsecond),
    loop(Count),
    Elapsed = erlang:monotonic_time(microsecond) - Start,
    io:format("done ~p ~p~n", [Count, Elapsed]).

loop(0) -> ok;
loop(N) ->
    Old = whereis(crasher),
    gen_server:cast(crasher, crash),
    answered(Old),
    loop(N - 1).

%% The name is free for a moment: ask until the new incarnation answers.
answered(Old) ->
    case whereis(crasher) of
        undefined -> erlang:yield(), answered(Old);
        Old -> erlang:yield(), answered(Old);
        New -> New = gen_server:call(New, who)
    end.
